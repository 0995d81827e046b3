import { later } from '../widgets/later';

const pages = () => import('./records');

export const Deliveries = later<object>(async () => (await pages()).Deliveries, 'The page');
export const Delivery = later<{ id: string }>(async () => (await pages()).Delivery, 'The page');
export const Job = later<{ id: number }>(async () => (await pages()).Job, 'The page');
