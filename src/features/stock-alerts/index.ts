export { notifyRestocked } from './notify-restocked.ts'
