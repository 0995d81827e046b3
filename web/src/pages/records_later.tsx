import { laterPage } from '../widgets/later';

const pages = () => import('./records');

export const Deliveries = laterPage<object>(async () => (await pages()).Deliveries);
export const Delivery = laterPage<{ id: string }>(async () => (await pages()).Delivery);
export const Job = laterPage<{ id: number }>(async () => (await pages()).Job);
