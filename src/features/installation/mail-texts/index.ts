export { fillBody, fillSubject } from './fill.rules.ts'
