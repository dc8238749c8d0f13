import { useId } from 'react'
import { dashboardRequest } from '../../api/action.ts'
import { useRead, useStore, type Webhook } from '../../api/store.ts'
import { useSend } from '../../kit/form.tsx'
import { Copy, Section } from '../../kit/show.tsx'
import { Failure, Loaded } from '../../kit/states.tsx'
import { webhooks } from '../../text/webhooks.ts'

/** The switch for the headers of Standard Webhooks, with the command that does the same. */
export function StandardHeaders({ webhook, isAllowed }: { webhook: Webhook; isAllowed: boolean }) {
  const read = useRead(['webhooks', webhook.id, 'headers'], async ({ readDashboard }) => {
    const { headers } = await readDashboard<'webhooks.get_headers'>(
      `/webhooks/${webhook.id}/headers`,
    )
    return headers.standard_headers
  })
  return (
    <Section title={webhooks.standard}>
      <p>{webhooks.standardLead}</p>
      <Loaded read={read} rows={2}>
        {(isOn) => <Switch webhook={webhook} isOn={isOn} isAllowed={isAllowed} />}
      </Loaded>
    </Section>
  )
}

interface SwitchProps {
  webhook: Webhook
  isOn: boolean
  isAllowed: boolean
}

function Switch({ webhook, isOn, isAllowed }: SwitchProps) {
  const id = useId()
  const store = useStore()
  const send = useSend()
  const set = (standard_headers: boolean) =>
    send.mutate(
      dashboardRequest('webhooks', 'PATCH', `/webhooks/${webhook.id}/headers`, {
        standard_headers,
      }),
    )
  const isShownOn = send.isPending ? !isOn : isOn
  const next = isOn ? 'off' : 'on'
  return (
    <>
      <div className="field check">
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={isShownOn}
          aria-checked={isShownOn}
          aria-disabled={!isAllowed || send.isPending}
          onChange={({ target }) => isAllowed && !send.isPending && set(target.checked)}
        />
        <label htmlFor={id}>{webhooks.standardSwitch}</label>
      </div>
      <p role="status">{isShownOn ? webhooks.standardOn : webhooks.standardOff}</p>
      {send.error && <Failure error={send.error} />}
      {isAllowed && (
        <details>
          <summary>{webhooks.asCommand}</summary>
          <Copy
            block
            text={`npx tradepost webhooks standard-headers ${webhook.id} ${next} --store ${store.id}`}
            label={webhooks.asCommand}
          />
        </details>
      )}
    </>
  )
}
