import type { NewEvent } from '../../../events/ledger.ts'
import type { Question } from './schema.ts'

const questionObject = ({
  id,
  product,
  body,
  customer_email,
  customer_name,
  created_at,
}: Question) => ({
  object: 'question' as const,
  id,
  product,
  body,
  customer: { email: customer_email, name: customer_name },
  created_at,
})

export const questionCreatedEvent = (question: Question): NewEvent => ({
  type: 'question.created',
  object_id: String(question.id),
  object: questionObject(question),
})

export const questionAnsweredEvent = (
  question: Question,
  { id, body, created_at }: Question['answers'][number],
  { isFirst }: { isFirst: boolean },
): NewEvent => ({
  type: 'question.answered',
  object_id: String(question.id),
  object: { ...questionObject(question), answer: { id, body, first: isFirst, created_at } },
})
