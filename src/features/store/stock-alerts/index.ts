export { endWaiting, markAlertsDue, notifyRestocked } from './notify-restocked.ts'
export { ANY_VARIANT, nextDueAlert, takeDue, type Waiting } from './queries.ts'
export { STOP_PATH } from './schema.ts'
export { stopAlerts } from './stop-alerts.ts'
