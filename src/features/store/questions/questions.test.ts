import { afterAll, beforeAll, expect, test } from 'vitest'
import { product } from '../../../../test/build.ts'
import {
  expectSuccess,
  type Json,
  openTradepost,
  type Tradepost,
} from '../../../../test/harness.ts'

let tradepost: Tradepost
let productId: string

beforeAll(async () => {
  tradepost = await openTradepost()
  productId = (await product(tradepost, { name: 'Editor' })).id
})
afterAll(() => tradepost.close())

async function ask(fields: Json = {}): Promise<Json> {
  const person = { customer_email: 'Ada@Example.com', customer_name: 'Ada' }
  const body = { product_id: productId, ...person, body: 'Does it read RAW?', ...fields }
  const { status, json, text } = await tradepost.post('/questions', body)
  expect(status, text).toBe(201)
  return json.question
}

const addAnswer = (id: number, body = 'It does.') =>
  tradepost.post(`/questions/${id}/answers`, { body })

test('a question waits for an answer, and question.created reports it', async () => {
  await tradepost.events()
  const newQuestion = await ask()
  expect(newQuestion).toEqual({
    id: expect.any(Number),
    object: 'question',
    product: { id: productId, name: 'Editor' },
    customer_email: 'ada@example.com',
    customer_name: 'Ada',
    body: 'Does it read RAW?',
    status: 'pending',
    answers: [],
    created_at: expect.any(String),
    answered_at: null,
  })
  expect(await tradepost.events()).toEqual(['question.created'])
  const { data } = (await tradepost.payloads('question.created')).at(-1)
  expect(data.object).toEqual({
    object: 'question',
    id: newQuestion.id,
    product: { id: productId, name: 'Editor' },
    body: 'Does it read RAW?',
    customer: { email: 'ada@example.com', name: 'Ada' },
    created_at: newQuestion.created_at,
  })
  expect((await tradepost.get(`/questions/${newQuestion.id}`)).json.question).toEqual(newQuestion)
})

test('the first answer publishes the question, and only its event says that it is the first', async () => {
  const { id } = await ask()
  await tradepost.events()
  const first = await addAnswer(id)
  expect(first.status).toBe(201)
  expect(first.json).toMatchObject({
    answer: { body: 'It does.', author: 'seller' },
    question: { status: 'answered', answers: [{ body: 'It does.', author: 'seller' }] },
  })
  expect(first.json.question.answered_at).toBe(first.json.answer.created_at)
  const second = await addAnswer(id, 'Of most cameras.')
  expect(second.json.question).toMatchObject({
    answered_at: first.json.question.answered_at,
    answers: [{ body: 'It does.' }, { body: 'Of most cameras.' }],
  })
  expect(await tradepost.events()).toEqual(['question.answered', 'question.answered'])
  const payloads = (await tradepost.payloads('question.answered')).slice(-2)
  expect(payloads.map(({ data }) => data.object.answer)).toEqual([
    { ...emittedAnswer(first.json.answer), first: true },
    { ...emittedAnswer(second.json.answer), first: false },
  ])
})

const emittedAnswer = ({ id, body, created_at }: Json): Json => ({ id, body, created_at })

test('a question is public only once it is answered', async () => {
  const { id } = await ask()
  const path = `/questions/${id}`
  const refusal = await tradepost.patch(path, { status: 'answered' })
  expect([refusal.status, refusal.json.code, refusal.json.details.status]).toEqual([
    409,
    'INVALID_STATE',
    'pending',
  ])
  expect((await tradepost.patch(path, { status: 'hidden' })).json.question.status).toBe('hidden')
  expect((await tradepost.patch(path, { status: 'pending' })).json.question.status).toBe('pending')
  await expectSuccess(tradepost.patch(path, { status: 'hidden' }))
  expect((await addAnswer(id)).json.question).toMatchObject({ status: 'hidden', answers: [{}] })
  expect((await tradepost.patch(path, { status: 'pending' })).status).toBe(409)
  const changeAnswer = await tradepost.patch(path, { status: 'answered' })
  expect(changeAnswer.json.question.status).toBe('answered')
  expect((await tradepost.patch(path, {})).json.question.status).toBe('answered')
  expect((await tradepost.patch(path, { status: 'open' })).json.details.field).toBe('status')
})

test.each([
  ['a product that does not exist', { product_id: 'AAAAAAAAAAAA' }, 'product_id'],
  ['no email address', { customer_email: 'ada' }, 'customer_email'],
  ['a text of 1001 characters', { body: 'x'.repeat(1_001) }, 'body'],
  ['no text', { body: '' }, 'body'],
  ['an unknown field', { text: 'x' }, 'text'],
])('a question with %s is refused, and the field is named', async (_, fields, field) => {
  const body = { product_id: productId, customer_email: 'ada@example.com', body: 'Q?', ...fields }
  await tradepost.events()
  const { status, json } = await tradepost.post('/questions', body)
  expect([status, json.code, json.details.field]).toEqual([422, 'VALIDATION_FAILED', field])
  expect(await tradepost.events()).toEqual([])
})

test('a deleted product accepts no new questions, and its existing ones are not deleted', async () => {
  const { id } = await product(tradepost)
  const newQuestion = await ask({ product_id: id })
  await expectSuccess(tradepost.delete(`/products/${id}`))
  const newQuestionBody = {
    product_id: id,
    customer_email: 'ada@example.com',
    body: 'Still there?',
  }
  expect((await tradepost.post('/questions', newQuestionBody)).json.details.field).toBe(
    'product_id',
  )
  expect((await tradepost.get(`/questions?product_id=${id}`)).json.questions).toEqual([newQuestion])
})

test('the name of a customer who asks a question may be null', async () => {
  expect(await ask({ customer_name: null })).toMatchObject({ customer_name: null })
})

test('a question can have at most twenty answers', async () => {
  const { id } = await ask()
  for (let n = 0; n < 20; n++) expect((await addAnswer(id)).status).toBe(201)
  const { status, json } = await addAnswer(id)
  expect([status, json.details.field]).toEqual([422, 'body'])
  expect((await addAnswer(id, 'x'.repeat(2_001))).json.details.field).toBe('body')
})

test('questions are listed newest first or by waiting, and filtered by status and product', async () => {
  const { id } = await product(tradepost)
  const pendingQuestion = await ask({ product_id: id })
  const answeredQuestion = await ask({ product_id: id })
  await expectSuccess(addAnswer(answeredQuestion.id))
  const listIds = async (query: string) =>
    (await tradepost.get(`/questions?product_id=${id}&${query}`)).json.questions.map(
      (item: Json) => item.id,
    )
  expect(await listIds('')).toEqual([answeredQuestion.id, pendingQuestion.id])
  expect(await listIds('sort=waiting')).toEqual([pendingQuestion.id, answeredQuestion.id])
  const newest = await ask({ product_id: id })
  expect(await listIds('sort=waiting')).toEqual([
    pendingQuestion.id,
    newest.id,
    answeredQuestion.id,
  ])
  await expectSuccess(tradepost.delete(`/questions/${newest.id}`))
  expect(await listIds('status=answered')).toEqual([answeredQuestion.id])
  expect(await listIds('status=pending,hidden')).toEqual([pendingQuestion.id])
  expect((await tradepost.get('/questions?status=new')).json.details.field).toBe('status')
})

test('a deleted question answers 404, accepts no answers, and emits no event', async () => {
  const { id } = await ask()
  await expectSuccess(addAnswer(id))
  await tradepost.events()
  const { status, json } = await tradepost.delete(`/questions/${id}`)
  expect([status, json]).toEqual([200, { success: true, deleted: true, id }])
  expect((await tradepost.get(`/questions/${id}`)).status).toBe(404)
  expect((await addAnswer(id)).status).toBe(404)
  expect(await tradepost.events()).toEqual([])
})
