import { useState } from 'preact/hooks';
import { place } from '../../router/location.ts';
import { forgetView, savedViews, saveView } from './saved-views.ts';

/** Filters under a name, kept by this browser; the address itself can be shared. */
export function SavedViews() {
  const [naming, setNaming] = useState(false);
  return (
    <details class="menu">
      <summary>Views</summary>
      <div class="menu-box">
        {savedViews.value.length === 0 && <p class="sub">No view is saved yet.</p>}
        {savedViews.value.map(({ name, query }) => (
          <div key={name} class="menu-row">
            <a class="cut" href={`/sessions?${query}`}>
              {name}
            </a>
            <button type="button" class="link" onClick={() => forgetView(name)} aria-label={`Forget ${name}`}>
              forget
            </button>
          </div>
        ))}
        {naming ? (
          <form
            class="menu-row"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
              if (name !== '') saveView({ name, query: place.value.query.toString() });
              setNaming(false);
            }}
          >
            <input class="search" name="name" aria-label="Name of this view" placeholder="Name" required />
            <button type="submit" class="chip">
              Save
            </button>
          </form>
        ) : (
          <button type="button" class="link" onClick={() => setNaming(true)}>
            Save this view
          </button>
        )}
        <button
          type="button"
          class="link"
          onClick={() => void navigator.clipboard.writeText(location.href).catch(() => undefined)}
        >
          Copy its address
        </button>
      </div>
    </details>
  );
}
