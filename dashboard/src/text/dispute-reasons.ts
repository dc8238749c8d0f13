import { catalogue } from './catalogue.ts'

/** The reasons that banks give for disputes, in the words of Stripe. `duplicate` and `fraudulent` are reasons of refunds too. */
export const disputeReasons: Record<string, string> = catalogue({
  bank_cannot_process: [
    'Bank cannot process it',
    'Bank kann sie nicht bearbeiten',
    'El banco no puede procesarlo',
  ],
  check_returned: ['Check returned', 'Scheck zurückgegeben', 'Cheque devuelto'],
  credit_not_processed: [
    'Refund not received',
    'Erstattung nicht erhalten',
    'Reembolso no recibido',
  ],
  customer_initiated: [
    'Started by the customer',
    'Vom Kunden veranlasst',
    'Iniciada por el cliente',
  ],
  debit_not_authorized: ['Debit not authorized', 'Abbuchung nicht erlaubt', 'Cargo no autorizado'],
  general: ['General', 'Allgemein', 'General'],
  incorrect_account_details: [
    'Wrong account details',
    'Falsche Kontodaten',
    'Datos de cuenta incorrectos',
  ],
  insufficient_funds: ['Insufficient funds', 'Konto nicht gedeckt', 'Fondos insuficientes'],
  noncompliant: ['Breaks a card rule', 'Verstößt gegen Kartenregeln', 'Incumple una norma'],
  product_not_received: ['Product not received', 'Ware nicht erhalten', 'Producto no recibido'],
  product_unacceptable: [
    'Product not as expected',
    'Ware entspricht nicht der Erwartung',
    'Producto no aceptable',
  ],
  subscription_canceled: ['Subscription cancelled', 'Abo war gekündigt', 'Suscripción cancelada'],
  unrecognized: ['Payment not recognized', 'Zahlung nicht erkannt', 'Pago no reconocido'],
})
