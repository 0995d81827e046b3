// Runs before the first paint, so that no page flashes in the wrong colours. Nothing else belongs here.
import { applyTheme } from './theme';

applyTheme();
