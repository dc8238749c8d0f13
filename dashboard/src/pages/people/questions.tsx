import { storeRequest } from '../../api/action.ts'
import type { Question, QuestionsListQuery } from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { feedback } from '../../text/feedback.ts'
import { products } from '../../text/products.ts'
import { QUESTION_COLUMNS } from './question-columns.tsx'

const PRODUCT_COLUMN: Column<Question> = {
  label: feedback.product,
  show: ({ product }) => product.name,
  text: ({ product }) => product.name,
}
const COLUMNS = QUESTION_COLUMNS.toSpliced(1, 0, PRODUCT_COLUMN)

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
      queryKey={['questions']}
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
      firstStep={firstStep(
        storeRequest('questions', 'create', {
          product_id: 'PRODUCT',
          customer_email: 'ada@example.com',
          body: 'Does it run on Linux?',
        }),
        { to: '/products', label: products.title },
      )}
      read={async ({ api }, query) => {
        const page = await api.questions.list({ sort: 'waiting', ...query } as QuestionsListQuery)
        return { rows: page.questions, ...page.pagination }
      }}
    />
  </Frame>
)
