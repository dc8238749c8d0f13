import { storeRequest } from '../../api/action.ts'
import type { Review, ReviewsListQuery } from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { humanize } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { feedback } from '../../text/feedback.ts'
import { FeedbackTabs } from './questions.tsx'

const RATINGS = ['5', '4', '3', '2', '1']

const COLUMNS: readonly Column<Review>[] = [
  {
    label: feedback.product,
    show: ({ product }) => product.name,
    text: ({ product }) => product.name,
  },
  {
    label: feedback.rating,
    isRightAligned: true,
    show: ({ rating }) => fill(feedback.ofFive, { n: rating }),
    text: ({ rating }) => rating,
  },
  {
    label: feedback.message,
    show: ({ message }) => message ?? <span className="secondary-text">{feedback.noText}</span>,
    text: ({ message }) => message,
  },
  {
    label: feedback.customer,
    show: ({ customer_email }) => customer_email,
    text: ({ customer_email }) => customer_email,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: common.created,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

/** The query of the API. Without a view and a filter, the list has only the reviews without a reply. */
function queryOf({ has_reply, ...query }: Record<string, string | number>): ReviewsListQuery {
  const isUnfiltered =
    has_reply === undefined && !['status', 'rating', 'email'].some((name) => name in query)
  return {
    ...query,
    ...(isUnfiltered && { has_reply: false, automatic: false }),
  } as unknown as ReviewsListQuery
}

export const Page = () => (
  <Frame title={feedback.reviews}>
    <FeedbackTabs />
    <List
      queryKey={['reviews']}
      label={feedback.reviews}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/reviews/${id}`}
      views={[
        { label: feedback.withoutReply, query: {} },
        { label: common.all, query: { has_reply: 'all' } },
        { label: feedback.reported, query: { status: 'reported' } },
        { label: feedback.hidden, query: { status: 'hidden' } },
      ]}
      filters={[
        {
          name: 'rating',
          label: feedback.rating,
          options: RATINGS.map((value) => ({ value, label: fill(feedback.ofFive, { n: value }) })),
        },
        { name: 'email', label: common.email },
      ]}
      empty={feedback.noneUnanswered}
      firstStep={firstStep(
        storeRequest('reviews', 'create', { order_id: 'ord_…', product_id: 'PRODUCT', rating: 5 }),
        { to: '/reviews?has_reply=all', label: feedback.allReviews },
      )}
      read={async ({ api }, query) => {
        const page = await api.reviews.list(queryOf(query))
        return { rows: page.reviews, ...page.pagination }
      }}
    />
  </Frame>
)
