import { catalogue } from './catalogue.ts'

/** When each event is sent. The API describes a type that is missing here. */
export const eventDescriptions: Readonly<Record<string, string>> = catalogue({
  'order.created': [
    'An order is created (storefront, API or embed).',
    'Eine Bestellung wird angelegt (Shopseite, API oder eingebettet).',
    'Se crea un pedido (escaparate, API o pago integrado).',
  ],
  'order.completed': [
    'An order is paid and delivered; includes the deliveries.',
    'Eine Bestellung ist bezahlt und geliefert; mit den Lieferungen.',
    'Un pedido está pagado y entregado; incluye las entregas.',
  ],
  'order.partially_paid': [
    'Part of a crypto payment arrived.',
    'Ein Teil einer Kryptozahlung ist eingegangen.',
    'Llegó parte de un pago en criptomonedas.',
  ],
  'order.manual_review': [
    'A manual payment waits for review.',
    'Eine manuelle Zahlung wartet auf Prüfung.',
    'Un pago manual espera revisión.',
  ],
  'order.expired': [
    'An order was not paid in time.',
    'Eine Bestellung wurde nicht rechtzeitig bezahlt.',
    'Un pedido no se pagó a tiempo.',
  ],
  'order.cancelled': [
    'An unpaid order was cancelled.',
    'Eine unbezahlte Bestellung wurde storniert.',
    'Se canceló un pedido sin pagar.',
  ],
  'order.refunded': [
    'A refund was recorded; sent once per refunded amount.',
    'Eine Erstattung wurde erfasst; einmal je erstattetem Betrag.',
    'Se registró un reembolso; uno por cada importe reembolsado.',
  ],
  'product.out_of_stock': [
    'A product ran out of stock.',
    'Ein Produkt ist ausverkauft.',
    'Un producto se agotó.',
  ],
  'product.restocked': [
    'Stock was added to a product.',
    'Das Lager eines Produkts wurde aufgefüllt.',
    'Se repuso un producto.',
  ],
  'product.deleted': [
    'A product was deleted.',
    'Ein Produkt wurde gelöscht.',
    'Se eliminó un producto.',
  ],
  'review.created': [
    'A customer left a review.',
    'Jemand hat eine Bewertung abgegeben.',
    'Un cliente dejó una reseña.',
  ],
  'question.created': [
    'A customer asked a question on a product page.',
    'Jemand hat auf einer Produktseite eine Frage gestellt.',
    'Un cliente hizo una pregunta en la página de un producto.',
  ],
  'question.answered': [
    'The team answered a product question; `answer.first` is `true` for the first answer.',
    'Das Team hat eine Produktfrage beantwortet; bei der ersten Antwort ist `answer.first` `true`.',
    'El equipo respondió una pregunta; en la primera respuesta, `answer.first` es `true`.',
  ],
  'customer.created': [
    'A new customer was added.',
    'Ein neuer Kunde wurde angelegt.',
    'Se añadió un cliente nuevo.',
  ],
  'withdrawal.completed': [
    'A wallet withdrawal was sent.',
    'Eine Auszahlung des Guthabens wurde gesendet.',
    'Se envió un retiro de la cartera.',
  ],
  'affiliate.partner_applied': [
    'Someone applied to the affiliate programme.',
    'Jemand hat sich beim Partnerprogramm beworben.',
    'Alguien solicitó entrar en el programa de socios.',
  ],
  'affiliate.conversion': [
    'An attributed order completed and the commission was recorded.',
    'Eine vermittelte Bestellung ist abgeschlossen, und die Provision ist erfasst.',
    'Se completó un pedido atribuido y se registró la comisión.',
  ],
  'affiliate.payout_requested': [
    'A partner requested a payout.',
    'Ein Partner hat eine Auszahlung angefordert.',
    'Un socio solicitó un pago.',
  ],
  'affiliate.payout_sent': [
    'A payout was marked as sent.',
    'Eine Auszahlung wurde als gesendet markiert.',
    'Un pago se marcó como enviado.',
  ],
})
