export { notifyRestocked } from './notify-restocked.ts'
export { STOP_PATH } from './schema.ts'
export { stopAlerts } from './stop-alerts.ts'
