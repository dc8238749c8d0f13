export { clearQuestions } from './queries.ts'
