import { catalogue } from './catalogue.ts'

/** The names of the API's reasons for returns and refunds. The first page does not load them. */
export const reasons: Record<string, string> = catalogue({
  // Reasons for returns.
  changed_mind: ['Changed mind', 'Anders entschieden', 'Cambio de opinión'],
  damaged_or_defective: ['Damaged or defective', 'Beschädigt oder defekt', 'Dañado o defectuoso'],
  not_as_described: ['Not as described', 'Nicht wie beschrieben', 'No es como se describe'],
  too_large: ['Too large', 'Zu groß', 'Demasiado grande'],
  too_small: ['Too small', 'Zu klein', 'Demasiado pequeño'],
  wrong_item: ['Wrong item', 'Falscher Artikel', 'Artículo equivocado'],
  // Reasons for refunds. `other` is also a reason for returns.
  duplicate: ['Duplicate', 'Doppelt', 'Duplicado'],
  fraudulent: ['Fraudulent', 'Betrug', 'Fraude'],
  other: ['Other', 'Anderer Grund', 'Otro motivo'],
  requested_by_customer: [
    'Requested by customer',
    'Auf Wunsch des Kunden',
    'A petición del cliente',
  ],
})
