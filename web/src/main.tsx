import { render } from 'preact';
import 'virtual:tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import { listen } from './api/events.ts';
import { startRouter } from './router/location.ts';
import { Shell } from './shell/shell.tsx';
import { startTheme } from './shell/theme.ts';

const root = document.getElementById('app');
if (root !== null) {
  startTheme();
  startRouter();
  render(<Shell />, root);
  void listen();
}
