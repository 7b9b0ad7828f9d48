import { keepToken, token } from '../api/token.ts';
import { Command } from '../parts/command.tsx';
import { Page } from '../parts/page.tsx';

/** The server is on another machine and wants to know who asks. */
export function TokenForm() {
  return (
    <Page title="This server asks for a token">
      <form
        class="stack narrow"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('token');
          if (typeof given === 'string' && given.trim() !== '') {
            keepToken(given);
            location.reload();
          }
        }}
      >
        {token.value !== '' && (
          <p role="alert">
            <span class="tone-bad">✗</span> The token was not accepted: it may have expired or been revoked.
          </p>
        )}
        <label class="field">
          Token
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <p class="sub">It is kept until this tab is closed. Whoever runs the server makes one with</p>
        <Command text="assay token create --scope read" />
        <button type="submit" class="primary">
          Open the dashboard
        </button>
      </form>
    </Page>
  );
}
