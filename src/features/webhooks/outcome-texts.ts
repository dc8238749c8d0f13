/** What an attempt says whose result was lost with its process. */
export const WORKER_LOST = 'worker_lost: the sender stopped before the result was stored'
