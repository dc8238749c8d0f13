import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Review, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { Link } from '../../kit/link.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Raw, Section, Stamp, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { feedback } from '../../text/feedback.ts'
import { OrdersOfEmail } from './orders-of-email.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const reviewId = Number(id)
  const read = useRead(
    ['reviews', reviewId],
    async ({ api }) => (await api.reviews.get(reviewId)).review,
  )
  return (
    <Loaded read={read}>
      {(review) => (
        <Frame
          title={fill(feedback.reviewTitle, { id: review.id })}
          parent={{ to: '/reviews', label: feedback.reviews }}
          lead={review.product.name}
          actions={<Actions review={review} />}
        >
          <div className="split">
            <div>
              <Section
                title={fill(feedback.ofFive, { n: review.rating })}
                actions={<Stamp state={review.status} />}
              >
                {review.message ? (
                  <blockquote>{review.message}</blockquote>
                ) : (
                  <Empty>{feedback.noText}</Empty>
                )}
              </Section>
              <Section title={feedback.replyText}>
                {review.reply ? (
                  <p className="message-text">{review.reply}</p>
                ) : (
                  <Empty>{feedback.noReply}</Empty>
                )}
              </Section>
            </div>
            <div>
              <Summary review={review} />
              <OrdersOfEmail email={review.customer_email} />
              <Raw record={review} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const Summary = ({ review }: { review: Review }) => (
  <Section
    title={common.details}
    actions={review.automatic && <State state="automatic">{feedback.automatic}</State>}
  >
    <Facts
      rows={[
        [
          feedback.product,
          <Link key="product" to={`/products/${review.product.id}`}>
            {review.product.name}
          </Link>,
        ],
        [
          feedback.order,
          <Link key="order" to={`/orders/${review.order_id}`}>
            {review.order_id}
          </Link>,
        ],
        [feedback.customer, review.customer_email],
        [common.created, <Time key="created" at={review.created_at} />],
        [feedback.repliedAt, review.replied_at && <Time key="replied" at={review.replied_at} />],
      ]}
    />
  </Section>
)

const putReply = (id: number, reply: string) => storeRequest('reviews', 'putReply', id, { reply })

function Actions({ review }: { review: Review }) {
  const isAllowed = useMayWrite('reviews')
  if (!isAllowed) return <NotAllowed area="reviews" />
  const { id, status, reply } = review
  const label = reply === null ? feedback.reply : feedback.changeReply
  return (
    <>
      <EditAction
        label={label}
        isPrimary
        record={review}
        read={async ({ api }) => (await api.reviews.get(id)).review}
        fields={(item) => [
          {
            name: 'reply',
            label: feedback.replyText,
            type: 'textarea',
            required: true,
            value: item.reply,
          },
        ]}
        submit={label}
        request={(changed) => putReply(id, String(changed.reply ?? reply ?? ''))}
      />
      {reply !== null && (
        <Action
          label={feedback.deleteReply}
          isDanger
          lead={<p>{fill(feedback.deleteReplyLead, { n: review.rating })}</p>}
          submit={feedback.deleteReply}
          request={() => storeRequest('reviews', 'deleteReply', id)}
          undo={() => ({
            text: feedback.replyDeleted,
            request: putReply(id, reply),
          })}
        />
      )}
      <Visibility review={review} />
      {status === 'published' && (
        <Action
          label={feedback.report}
          lead={<p>{feedback.reportLead}</p>}
          fields={[{ name: 'reason', label: common.reason, required: true }]}
          submit={feedback.report}
          request={({ reason }) =>
            storeRequest('reviews', 'report', id, { reason: String(reason ?? '') })
          }
        />
      )}
    </>
  )
}

const Visibility = ({ review: { id, status } }: { review: Review }) =>
  status === 'published' ? (
    <Action
      label={feedback.hide}
      lead={<p>{feedback.hideLead}</p>}
      submit={feedback.hide}
      request={() => storeRequest('reviews', 'update', id, { status: 'hidden' })}
    />
  ) : (
    <>
      {status === 'reported' && (
        <Action
          label={feedback.hide}
          lead={<p>{feedback.hideLead}</p>}
          submit={feedback.hide}
          request={() => storeRequest('reviews', 'update', id, { status: 'hidden' })}
        />
      )}
      <Action
        label={feedback.show}
        submit={feedback.show}
        request={() => storeRequest('reviews', 'update', id, { status: 'published' })}
      />
    </>
  )
