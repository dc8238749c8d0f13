export { testMailEndpoints } from './endpoints.ts'
