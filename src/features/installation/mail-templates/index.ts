export { mailTemplateEndpoints } from './endpoints.ts'
