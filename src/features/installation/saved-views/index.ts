export { savedViewEndpoints } from './endpoints.ts'
