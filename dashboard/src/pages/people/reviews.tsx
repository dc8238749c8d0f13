import type { Review, ReviewsListQuery } from '../../api/store.ts'
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
    isNumber: true,
    show: ({ rating }) => fill(feedback.ofFive, { n: rating }),
    text: ({ rating }) => rating,
  },
  {
    label: feedback.message,
    show: ({ message }) => message ?? <span className="quiet">{feedback.noText}</span>,
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
    text: ({ status }) => status,
  },
  {
    label: common.created,
    isNumber: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]

export const Page = () => (
  <Frame title={feedback.reviews}>
    <FeedbackTabs />
    <List
      name={['reviews']}
      label={feedback.reviews}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/reviews/${id}`}
      views={[
        { label: feedback.withoutReply, query: { has_reply: 'false', automatic: 'false' } },
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
      empty={feedback.noReviews}
      read={async ({ api }, query) => {
        const page = await api.reviews.list(query as unknown as ReviewsListQuery)
        return { rows: page.reviews, ...page.pagination }
      }}
    />
  </Frame>
)
