// The pages about the relay itself, loaded together: whoever opens one of them goes on to the next.
export { Allowlist } from './allowlist';
export { Audit } from './audit';
export { Dead } from './dead';
export { Refused } from './refused';
export { Status } from './status';
