import { useRead } from '../../api/store.ts'
import type { PanelProps } from '../../kit/record-panel.ts'
import { Raw } from '../../kit/show.tsx'
import { SidePanel } from '../../kit/side-panel.tsx'
import { panel } from '../../text/panel.ts'
import { Actions, Summary, Thread } from './ticket.tsx'

/** A ticket next to the list of tickets, where it can be answered. */
export function TicketPanel(props: PanelProps) {
  const id = Number(props.id)
  const read = useRead(['tickets', id], async ({ api }) => (await api.tickets.get(id)).ticket)
  return (
    <SidePanel {...props} label={panel.ticket} read={read} titleOf={({ subject }) => subject}>
      {(ticket) => (
        <>
          <div className="actions">
            <Actions ticket={ticket} />
          </div>
          <Thread ticket={ticket} />
          <Summary ticket={ticket} />
          <Raw record={ticket} />
        </>
      )}
    </SidePanel>
  )
}
