export { systemEndpoints } from './endpoints.ts'
