import { later } from '../widgets/later';

const pages = () => import('./operator');

export const Dead = later<object>(async () => (await pages()).Dead, 'The page');
export const Refused = later<object>(async () => (await pages()).Refused, 'The page');
export const Allowlist = later<object>(async () => (await pages()).Allowlist, 'The page');
export const Status = later<object>(async () => (await pages()).Status, 'The page');
export const Audit = later<object>(async () => (await pages()).Audit, 'The page');
