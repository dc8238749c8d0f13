import { dashboardRequest } from '../../api/action.ts'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { EmptyList, Table } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Time } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { tickets } from '../../text/tickets.ts'
import {
  DeleteReply,
  replyFields,
  type SavedReply,
  SaveReply,
  useReplies,
} from './saved-replies.tsx'

export const TicketTabs = () => (
  <Tabs
    label={tickets.title}
    tabs={[
      { to: '/tickets', label: tickets.title },
      { to: '/tickets/replies', label: tickets.savedReplies },
    ]}
  />
)

/** The texts with which the team answers tickets. */
export function Page() {
  const isAllowed = useMayWrite('tickets')
  const read = useReplies()
  return (
    <Frame
      title={tickets.savedReplies}
      lead={tickets.savedRepliesLead}
      actions={isAllowed ? <SaveReply label={tickets.newReply} /> : <NotAllowed area="tickets" />}
    >
      <TicketTabs />
      <Loaded read={read}>
        {(replies) =>
          replies.length === 0 ? (
            <EmptyList
              firstStep={
                isAllowed
                  ? { link: { to: `/tickets/replies#${NEW_HASH}`, label: tickets.newReply } }
                  : undefined
              }
            >
              {tickets.noReplies}
            </EmptyList>
          ) : (
            <Table
              label={tickets.savedReplies}
              rows={replies}
              keyOf={({ id }) => id}
              columns={[
                { label: common.name, show: ({ name }) => name },
                { label: tickets.replyBody, show: ({ body }) => body },
                { label: common.updated, show: ({ updated_at }) => <Time at={updated_at} /> },
              ]}
              {...(isAllowed && {
                rowActions: (reply: SavedReply) => (
                  <div className="actions">
                    <Edit reply={reply} />
                    <DeleteReply reply={reply} otherCount={replies.length - 1} />
                  </div>
                ),
              })}
            />
          )
        }
      </Loaded>
    </Frame>
  )
}

/** A reply that another user has deleted meanwhile is shown as it was. */
const Edit = ({ reply }: { reply: SavedReply }) => (
  <EditAction
    label={common.edit}
    title={reply.name}
    record={reply}
    read={async ({ readDashboard }) => {
      const answer = await readDashboard<'saved_replies.list'>('/saved-replies')
      return answer.saved_replies.find(({ id }) => id === reply.id) ?? reply
    }}
    fields={({ name, body }) => replyFields(name, body)}
    request={(changed) =>
      dashboardRequest('tickets', 'PATCH', `/saved-replies/${reply.id}`, changed)
    }
  />
)
