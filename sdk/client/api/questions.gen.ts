// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { Call } from '../call.ts'
import type { List } from '../list.ts'
import type { CallOptions, PostOptions } from '../transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Questions of customers on product pages, and the answers. */
export interface QuestionsApi {
  /**
   * List questions about products with their answers, by default the newest first.
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
  create(body: QuestionInput, options?: PostOptions): Call<{ question: Question }>
  /**
   * Get a question with its answers.
   *
   * Needs the permission `questions:read`.
   * @param id The id of the question.
   * @throws {TradepostError} `NOT_FOUND`
   */
  get(id: number, options?: CallOptions): Call<{ question: Question }>
  /**
   * Answer a question.
   *
   * The first answer makes the question public, and its `question.answered` event has
   * `answer.first` true. A hidden question remains hidden.
   *
   * Needs the permission `questions:write`.
   * @param id The id of the question.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
   */
  answer(id: number, body: AnswerInput, options?: PostOptions): Call<{ answer: Answer; question: Question }>
  /**
   * Hide a question, or show it again.
   *
   * A question is public only while its status is `answered`. This status needs at least one
   * answer.
   *
   * Needs the permission `questions:write`.
   * @param id The id of the question.
   * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
   */
  update(id: number, body: QuestionPatch, options?: CallOptions): Call<{ question: Question }>
  /**
   * Delete a question with its answers.
   *
   * Needs the permission `questions:write`.
   * @param id The id of the question.
   * @throws {TradepostError} `NOT_FOUND`
   */
  delete(id: number, options?: CallOptions): Call<{
    /** Always true. */
    deleted: boolean
    /** The id of the deleted question. */
    id: number
  }>
}

/** An answer to a question. */
export interface Answer extends AnswerInput {
  /** The id of the answer. */
  id: number
  /** The author of the answer. Always `seller`. */
  author: 'seller'
  /** The time of the answer. */
  created_at: string
}

export interface AnswerInput {
  /** The text of the answer. */
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
    /** The current name of the product. */
    name: string
  }
  /** The email address of the customer, in lower case. */
  customer_email: string
  /** The name of the customer; null if it was not given. */
  customer_name: string | null
  /** The text of the question. */
  body: string
  /**
   * The status. Only an `answered` question is public. A `hidden` question was removed from public
   * view.
   */
  status: 'pending' | 'answered' | 'hidden'
  /** All answers, the oldest first. */
  answers: Answer[]
  /** The time of the question. */
  created_at: string
  /** The time of the first answer; null if there is none. */
  answered_at: string | null
}

export interface QuestionInput {
  /** The hash of the product. Its numeric id is also accepted. */
  product_id: string
  /** The email address of the customer. */
  customer_email: string
  /** The name of the customer that is shown with the question. */
  customer_name?: string | null
  /** The text of the question. */
  body: string
}

export interface QuestionPatch {
  /**
   * `hidden` hides the question. To show it again send `answered` if it has an answer, else
   * `pending`.
   */
  status?: 'pending' | 'answered' | 'hidden'
}

export interface QuestionsListQuery extends PageQuery {
  /** Only records that were created at or after this time. */
  created_from?: string
  /** Only records that were created before this time. */
  created_to?: string
  /** One or several statuses. */
  status?: ('pending' | 'answered' | 'hidden')[]
  /** The hash of the product. Its numeric id is also accepted. */
  product_id?: string
  /**
   * `-created_at` sorts the newest first. `waiting` sorts questions without an answer first, the
   * oldest first, and then all others, the newest first. Default `"-created_at"`.
   */
  sort?: '-created_at' | 'waiting'
}
