export { clearTickets } from './queries.ts'
