import type { Question, QuestionsListQuery } from '../../api/store.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State, Time } from '../../kit/show.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { feedback } from '../../text/feedback.ts'

const COLUMNS: readonly Column<Question>[] = [
  { label: feedback.question, show: ({ body }) => body, text: ({ body }) => body },
  {
    label: feedback.product,
    show: ({ product }) => product.name,
    text: ({ product }) => product.name,
  },
  {
    label: feedback.customer,
    show: ({ customer_name, customer_email }) => customer_name ?? customer_email,
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

export const FeedbackTabs = () => (
  <Tabs
    label={feedback.both}
    tabs={[
      { to: '/reviews', label: feedback.reviews },
      { to: '/questions', label: feedback.questions },
    ]}
  />
)

export const Page = () => (
  <Frame title={feedback.questions}>
    <FeedbackTabs />
    <List
      name={['questions']}
      label={feedback.questions}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/questions/${id}`}
      views={[
        { label: feedback.unanswered, query: { status: 'pending' } },
        { label: feedback.answered, query: { status: 'answered' } },
        { label: feedback.hidden, query: { status: 'hidden' } },
      ]}
      empty={feedback.noQuestions}
      read={async ({ api }, query) => {
        const page = await api.questions.list(query as unknown as QuestionsListQuery)
        return { rows: page.questions, ...page.pagination }
      }}
    />
  </Frame>
)
