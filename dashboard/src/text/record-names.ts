import { catalogue } from './catalogue.ts'

/** The names of records that have no name of their own. */
export const recordNames = catalogue({
  order: ['Order #{number}', 'Bestellung Nr. {number}', 'Pedido n.º {number}'],
  subscription: ['Subscription of {email}', 'Abo von {email}', 'Suscripción de {email}'],
  licenseKey: ['License key …{end}', 'Lizenzschlüssel …{end}', 'Clave de licencia …{end}'],
})
