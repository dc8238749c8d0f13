import { useId, useState } from 'react'
import { dashboardRequest } from '../../api/action.ts'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Failure } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { tickets } from '../../text/tickets.ts'

export type SavedReply = DashboardAnswer<'saved_replies.list'>['saved_replies'][number]

export const useReplies = () =>
  useRead(
    ['tickets', 'saved replies'],
    async ({ readDashboard }) =>
      (await readDashboard<'saved_replies.list'>('/saved-replies')).saved_replies,
  )

export const replyFields = (name?: string, body?: string): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: name },
  { name: 'body', label: tickets.replyBody, type: 'textarea', required: true, value: body },
]

const createRequest = ({ name, body }: Record<string, unknown>) =>
  dashboardRequest('tickets', 'POST', '/saved-replies', { name, body })

/** A button that saves a reply. `body` is its initial text. */
export const SaveReply = ({ label, body }: { label: string; body?: string }) => (
  <Action
    label={label}
    isPrimary
    fields={replyFields(undefined, body)}
    submit={tickets.saveReply}
    request={createRequest}
    done={tickets.replySaved}
  />
)

interface DeleteReplyProps {
  reply: SavedReply
  /** The number of the other replies. */
  otherCount: number
}

export const DeleteReply = ({ reply: { id, name, body }, otherCount }: DeleteReplyProps) => (
  <Action
    label={common.delete}
    title={tickets.deleteReply}
    isDanger
    lead={<p>{fill(tickets.deleteReplyLead, { name, n: formatNumber(otherCount) })}</p>}
    submit={tickets.deleteReply}
    request={() => dashboardRequest('tickets', 'DELETE', `/saved-replies/${id}`)}
    undo={() => ({
      text: fill(common.deleted, { name }),
      request: createRequest({ name, body }),
    })}
  />
)

/** A choice of the saved replies, and the button that inserts one. */
export function InsertReply({ insert }: { insert: (body: string) => void }) {
  const id = useId()
  const { data: replies = [], error, refetch } = useReplies()
  const [chosenId, setChosenId] = useState('')
  if (error) return <Failure error={error} retry={() => refetch()} />
  if (replies.length === 0) {
    return (
      <p>
        <Link to="/tickets/replies">{tickets.firstReply}</Link>
      </p>
    )
  }
  const reply = replies.find((item) => String(item.id) === chosenId)
  return (
    <div className="filters">
      <div className="filter">
        <label htmlFor={id}>{tickets.savedReply}</label>
        <select id={id} value={chosenId} onChange={({ target }) => setChosenId(target.value)}>
          <option value="" />
          {replies.map((item) => (
            <option key={item.id} value={item.id}>
              {item.name}
            </option>
          ))}
        </select>
      </div>
      <button type="button" disabled={!reply} onClick={() => reply && insert(reply.body)}>
        {tickets.insertReply}
      </button>
    </div>
  )
}
