export { callAddressesJob } from './call-addresses.job.ts'
