import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination } from '../../../kernel/shapes.ts'
import { answerQuestion } from './answer-question.ts'
import { createQuestion } from './create-question.ts'
import {
  Answer,
  NewAnswer,
  NewQuestion,
  Question,
  QuestionPatch,
  QuestionPath,
  QuestionQuery,
} from './schema.ts'
import { getQuestion, listQuestions } from './show-questions.ts'
import { deleteQuestion, updateQuestion } from './update-question.ts'

const OneQuestion = z.object({ question: Question })

export const questionEndpoints = [
  endpoint({
    id: 'questions.list',
    method: 'GET',
    path: '/questions',
    permission: 'questions:read',
    summary: 'List questions about products with their answers, by default the newest first.',
    query: QuestionQuery,
    response: z.object({
      questions: z.array(Question).describe('A page of questions.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listQuestions(context, query),
  }),
  endpoint({
    id: 'questions.create',
    method: 'POST',
    path: '/questions',
    permission: 'questions:write',
    summary: 'Record the question of a customer about a product.',
    description: 'The question becomes public with its first answer.',
    body: NewQuestion,
    example: {
      product_id: 'a1B2c3D4e5F6',
      customer_email: 'ada@example.com',
      body: 'Does it read RAW files?',
    },
    status: 201,
    response: OneQuestion,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'question.create', object: 'question' },
    handle: async ({ context, body }) => ({ question: await createQuestion(context, body) }),
  }),
  endpoint({
    id: 'questions.get',
    method: 'GET',
    path: '/questions/:id',
    permission: 'questions:read',
    summary: 'Get a question with its answers.',
    params: QuestionPath,
    response: OneQuestion,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ question: await getQuestion(context, params.id) }),
  }),
  endpoint({
    id: 'questions.answer',
    method: 'POST',
    path: '/questions/:id/answers',
    permission: 'questions:write',
    summary: 'Answer a question.',
    description:
      'The first answer makes the question public, and its `question.answered` event has `answer.first` true. A hidden question remains hidden.',
    params: QuestionPath,
    body: NewAnswer,
    example: { body: 'It does, of most cameras.' },
    status: 201,
    response: z.object({ answer: Answer, question: Question }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'question.answer', object: 'question' },
    handle: ({ context, params, body }) => answerQuestion(context, params.id, body.body),
  }),
  endpoint({
    id: 'questions.update',
    method: 'PATCH',
    path: '/questions/:id',
    permission: 'questions:write',
    summary: 'Hide a question, or show it again.',
    description:
      'A question is public only while its status is `answered`. This status needs at least one answer.',
    params: QuestionPath,
    body: QuestionPatch,
    example: { status: 'hidden' },
    response: OneQuestion,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'question.update', object: 'question' },
    handle: async ({ context, params, body }) => ({
      question: await updateQuestion(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'questions.delete',
    method: 'DELETE',
    path: '/questions/:id',
    permission: 'questions:write',
    summary: 'Delete a question with its answers.',
    params: QuestionPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted question.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'question.delete', object: 'question' },
    handle: ({ context, params }) => deleteQuestion(context, params.id),
  }),
]
