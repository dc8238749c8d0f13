export { deletePendingAlerts, markAlertsDue, notifyRestocked } from './notify-restocked.ts'
export { ANY_VARIANT, claimDueProduct, nextDueAlert } from './queries.ts'
export { STOP_PATH } from './schema.ts'
export { stopAlerts } from './stop-alerts.ts'
