/**
 * Runs in the browser: long tables are cut and can be expanded, sorted and searched. Without scripts the page shows
 * every row. It changes only the order and visibility of rows; it never treats text of the page as markup.
 */
import { createHash } from 'node:crypto';

/** Shorter tables are read at a glance. */
const ROWS_TO_SORT = 3;
const ROWS_TO_SEARCH = 9;

export const SCRIPT = `(() => {
  document.documentElement.classList.add('js');
  const order = new Intl.Collator('en', { numeric: true });
  const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
  const valueOf = (row, index) => {
    const cell = row.cells[index];
    if (cell.dataset.v === undefined) return undefined;
    const value = Number(cell.dataset.v);
    return cell.dataset.v === '' || Number.isNaN(value) ? cell.dataset.v : value;
  };
  const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : order.compare(String(a), String(b));
  for (const box of document.querySelectorAll('.scroll')) {
    const table = box.querySelector('table');
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const title = table.caption.textContent;
    const beyond = rows.filter((row) => row.classList.contains('beyond'));
    if (beyond.length > 0) {
      const words = 'Show all ' + rows.length.toLocaleString('en');
      const button = make('button', { type: 'button', className: 'more', textContent: words });
      button.setAttribute('aria-label', words + ': ' + title);
      button.addEventListener('click', () => {
        const open = table.classList.toggle('open');
        button.textContent = open ? 'Show fewer' : words;
        button.setAttribute('aria-label', button.textContent + ': ' + title);
      });
      box.after(button);
    }
    const limit = rows.length - beyond.length;
    if (rows.length >= ${ROWS_TO_SORT} && !table.hasAttribute('data-fixed')) {
      const heads = [...table.tHead.rows[0].cells];
      heads.forEach((head, index) => {
        if (head.textContent.trim() === '') return;
        const button = make('button', { type: 'button' });
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener('click', () => {
          const was = head.getAttribute('aria-sort');
          const first = head.classList.contains('num') ? 'descending' : 'ascending';
          const second = first === 'ascending' ? 'descending' : 'ascending';
          const now = was === null ? first : was === first ? second : null;
          for (const other of heads) other.removeAttribute('aria-sort');
          if (now !== null) head.setAttribute('aria-sort', now);
          const sign = now === 'descending' ? -1 : 1;
          const sorted = now === null ? rows : rows.slice().sort((a, b) => {
            const [x, y] = [valueOf(a, index), valueOf(b, index)];
            // What is unmeasured is neither high nor low.
            if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
            return sign * compare(x, y);
          });
          body.append(...sorted);
          sorted.forEach((row, place) => row.classList.toggle('beyond', place >= limit));
        });
      });
    }
    if (rows.length >= ${ROWS_TO_SEARCH} && !table.hasAttribute('data-fixed')) {
      const input = make('input', { type: 'search', className: 'find', placeholder: 'Filter' });
      input.setAttribute('aria-label', 'Filter: ' + title);
      const none = make('p', { className: 'empty', hidden: true, textContent: 'No row holds these words.' });
      none.setAttribute('role', 'status');
      input.addEventListener('input', () => {
        const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
        let found = 0;
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          const fits = words.every((word) => text.includes(word));
          row.hidden = !fits;
          if (fits) found++;
        }
        table.classList.toggle('found', words.length > 0);
        none.hidden = found > 0;
      });
      const head = box.parentElement.querySelector('.head');
      if (head !== null) head.append(input); else box.before(input);
      box.after(none);
    }
  }
})();`;

/** The one script that the page's own policy lets run. */
export const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
