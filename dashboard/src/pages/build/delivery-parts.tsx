import { storeRequest } from '../../api/action.ts'
import { Action } from '../../kit/action.tsx'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { webhooks } from '../../text/webhooks.ts'
import { showReceiverAnswer } from './webhook-parts.tsx'

export const ResendAction = ({ id }: { id: number }) => (
  <Action
    label={webhooks.resend}
    lead={<p>{webhooks.resendLead}</p>}
    submit={webhooks.resend}
    onDone={showReceiverAnswer}
    request={() => ({
      ...storeRequest('events', 'resend', id),
      command: `webhooks resend --delivery ${id}`,
    })}
  />
)

export const Duration = ({ ms }: { ms: number | null }) =>
  ms === null ? '–' : fill(webhooks.ms, { n: formatNumber(ms) })

/** The sentence of an error, without its code. */
export const errorSentence = (error: string): string => error.replace(/^[a-z_]+: /, '')
