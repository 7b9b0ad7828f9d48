import type { AlertEventWire } from '../../api/schema/alert.ts';

/**
 * The format of Slack's incoming webhooks, which Mattermost, Rocket.Chat and Discord (below `/slack`) accept as well.
 */
export type SlackMessage = {
  /** What a notification shows. */
  readonly text: string;
  readonly attachments: readonly {
    readonly color: string;
    readonly fallback: string;
    readonly text: string;
    readonly fields: readonly { readonly title: string; readonly value: string; readonly short: boolean }[];
    readonly ts: number;
  }[];
};

const COLOURS = { warning: '#daa038', critical: '#a30200', resolved: '#2eb886' } as const;

export function slackMessage(event: AlertEventWire): SlackMessage {
  const { alert, at } = event;
  const headline = escaped(alertHeadline(event));
  const colour = event.type === 'alert.resolved' ? 'resolved' : alert.severity;
  const field = (title: string, value: string) => ({ title, value: escaped(value), short: true });
  return {
    text: headline,
    attachments: [
      {
        color: COLOURS[colour],
        fallback: headline,
        text: escaped(event.why ?? alert.message),
        fields: [field('Rule', alert.rule), field('About', alert.subject), field('Alert', alert.id)],
        ts: Math.floor(Date.parse(at) / 1000),
      },
    ],
  };
}

/** The three signs by which text becomes a link, a mention or markup there. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** One line: what it is, and whether it is over. */
export function alertHeadline({ type, alert }: AlertEventWire): string {
  return type === 'alert.resolved'
    ? `Resolved: ${alert.message}`
    : `${titled(alert.severity)}: ${alert.message}`;
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
