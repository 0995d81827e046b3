import { render } from 'preact';
import { tick } from './clock';
import { listen as listenToLinks } from './nav';
import { Shell } from './shell';
import { followSystem } from './theme';

followSystem();
listenToLinks();
tick();
render(<Shell />, document.getElementById('app')!);
