import { laterPage } from '../widgets/later';

const pages = () => import('./operator');

export const Dead = laterPage<object>(async () => (await pages()).Dead);
export const Refused = laterPage<object>(async () => (await pages()).Refused);
export const Allowlist = laterPage<object>(async () => (await pages()).Allowlist);
export const Status = laterPage<object>(async () => (await pages()).Status);
export const Audit = laterPage<object>(async () => (await pages()).Audit);
