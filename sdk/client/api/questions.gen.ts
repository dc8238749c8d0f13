// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Questions of customers on product pages, and the answers. */
export interface QuestionsApi {
  /**
   * List questions about products with their answers, the newest first.
   *
   * Needs the permission `questions:read`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  list(query?: QuestionsListQuery, options?: CallOptions): List<{ questions: Question[]; pagination: Pagination }, Question>
  /**
   * Record the question of a customer about a product.
   *
   * The question becomes public with its first answer.
   *
   * Needs the permission `questions:write`.
   * @throws {TradepostError} `VALIDATION_FAILED`
   */
  create(body: NewQuestion, options?: PostOptions): Call<{ question: Question }>
  /**
   * Get a question with its answers.
   *
   * Needs the permission `questions:read`.
   * @param id The question.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ question: Question }>
  /**
   * Answer a question.
   *
   * The first answer publishes the question; only its `question.answered` event has `answer.first`
   * true. A hidden question stays hidden.
   *
   * Needs the permission `questions:write`.
   * @param id The question.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  answer(id: number, body: NewAnswer, options?: PostOptions): Call<{ answer: Answer; question: Question }>
  /**
   * Hide a question, or show it again.
   *
   * A question is public only while it is `answered`, which needs an answer.
   *
   * Needs the permission `questions:write`.
   * @param id The question.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: QuestionPatch, options?: CallOptions): Call<{ question: Question }>
  /**
   * Delete a question with its answers.
   *
   * Needs the permission `questions:write`.
   * @param id The question.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: true
    /** The id of the deleted question. */
    id: number
  }>
}

/** An answer to a question. */
export interface Answer extends NewAnswer {
  /** The id of the answer. */
  id: number
  /** Always `seller`: the team of the store answers. */
  author: 'seller'
  /** The time of the answer. */
  created_at: string
}

export interface NewAnswer {
  /** The text of the answer. */
  body: string
}

export interface NewQuestion {
  /** The product hash; the numeric id is accepted too. */
  product_id: string
  /** The e-mail address of the customer. */
  customer_email: string
  /** The name to show. */
  customer_name?: string | null
  /** The text of the question. */
  body: string
}

/** A question about a product. */
export interface Question {
  /** The id of the question. */
  id: number
  /** Always `question`. */
  object: 'question'
  /** The product that the question is about. */
  product: {
    /** The product hash. */
    id: string
    /** Its current name. */
    name: string
  }
  /** In lower case. */
  customer_email: string
  /** As given with the question. */
  customer_name: string | null
  /** The text of the question. */
  body: string
  /** Only an `answered` question is public. `hidden` takes it out of public view. */
  status: 'pending' | 'answered' | 'hidden'
  /** All answers, the oldest first. */
  answers: Answer[]
  /** The time of the question. */
  created_at: string
  /** The time of the first answer. */
  answered_at: string | null
}

export interface QuestionPatch {
  /**
   * `hidden` hides the question. To show it again send `answered` if it has an answer, else
   * `pending`.
   */
  status?: 'pending' | 'answered' | 'hidden'
}

export interface QuestionsListQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('pending' | 'answered' | 'hidden')[]
  /** The product hash; the numeric id is accepted too. */
  product_id?: string
}
