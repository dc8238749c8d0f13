import type { QuestionsListQuery } from '../../api/store.ts'
import { List } from '../../kit/list.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { Section } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { productTabs } from '../../text/product-tabs.ts'
import { QUESTION_COLUMNS } from '../people/question-columns.tsx'
import { ProductTab } from './product-frame.tsx'

const STATUSES = ['pending', 'answered', 'hidden']

export const Page = () => (
  <ProductTab>
    {({ sections: { product } }) => (
      <Section title={productTabs.questions}>
        <List
          queryKey={['questions', product.id]}
          label={productTabs.questions}
          columns={QUESTION_COLUMNS}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/questions/${id}`}
          filters={[
            {
              name: 'status',
              label: common.status,
              options: humanizedOptions(STATUSES),
            },
          ]}
          empty={productTabs.noQuestions}
          read={async ({ api }, query) => {
            const listQuery = { ...query, product_id: product.id } as unknown as QuestionsListQuery
            const page = await api.questions.list(listQuery)
            return { rows: page.questions, ...page.pagination }
          }}
        />
      </Section>
    )}
  </ProductTab>
)
