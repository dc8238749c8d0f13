import { useRead } from '../../api/store.ts'
import { eventName } from '../../kit/event-name.ts'
import { useMayWrite } from '../../kit/form.tsx'
import type { PanelProps } from '../../kit/record-panel.ts'
import { Copy, Section } from '../../kit/show.tsx'
import { SidePanel } from '../../kit/side-panel.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { panel } from '../../text/panel.ts'
import { webhooks } from '../../text/webhooks.ts'
import { Attempts, DeliveryFacts } from './delivery.tsx'
import { ResendAction } from './delivery-parts.tsx'

/** A webhook delivery next to the list of deliveries. */
export function DeliveryPanel(props: PanelProps) {
  const { id } = props
  const isAllowed = useMayWrite('webhooks')
  const read = useRead(
    ['events', 'delivery', id],
    async ({ api }) => (await api.events.getDelivery(Number(id))).delivery,
  )
  return (
    <SidePanel
      {...props}
      label={panel.delivery}
      read={read}
      titleOf={({ event }) => eventName(event.type)}
    >
      {(delivery) => (
        <>
          <div className="actions">
            {isAllowed ? (
              !delivery.webhook.deleted && <ResendAction id={delivery.id} />
            ) : (
              <NotAllowed area="webhooks" />
            )}
          </div>
          <DeliveryFacts delivery={delivery} />
          <Attempts delivery={delivery} />
          <Section title={webhooks.payload}>
            {delivery.payload_redacted && <p className="secondary-text">{webhooks.redacted}</p>}
            <Copy block text={JSON.stringify(delivery.payload, null, 2)} label={webhooks.payload} />
          </Section>
        </>
      )}
    </SidePanel>
  )
}
