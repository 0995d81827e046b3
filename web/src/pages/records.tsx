// Single records, loaded together: a delivery, the list of them, a job.
export { Deliveries } from './deliveries';
export { Delivery } from './delivery';
export { Job } from './job';
