export { type Letter, queueMail } from './queue-mail.ts'
export { recordMailSenderJob, sendMailJob } from './send-mail.job.ts'
export { openStopToken } from './stop-link.rules.ts'
