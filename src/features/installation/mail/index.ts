export { type Letter, queueMail } from './queue-mail.ts'
export { sendMailJob } from './send-mail.job.ts'
export { openStopToken } from './stop-link.rules.ts'
