/** Error text for an attempt whose worker died before recording the result. */
export const WORKER_LOST = 'worker_lost: the sender stopped before the result was stored'

/** The error of an attempt whose answer the database refused. */
export const RECORD_FAILED = 'record_failed: the result of this attempt could not be stored'
