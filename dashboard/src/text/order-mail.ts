import { catalogue } from './catalogue.ts'

export const orderMail = catalogue({
  title: ['Mail to the buyer', 'Mails an den Käufer', 'Correo al comprador'],
  none: [
    'No mail about this order in the past 30 days.',
    'In den letzten 30 Tagen keine Mail zu dieser Bestellung.',
    'Ningún correo sobre este pedido en los últimos 30 días.',
  ],
  problem: [
    'The buyer did not get a mail',
    'Eine Mail kam nicht an',
    'Un correo no llegó al comprador',
  ],
  problemLead: [
    'On {at} the mail server of {email} refused it for good. It answered:',
    'Am {at} hat der Mailserver von {email} sie endgültig abgelehnt. Er antwortete:',
    'El {at} el servidor de {email} lo rechazó definitivamente. Respondió:',
  ],
  cures: ['You can:', 'Sie können:', 'Usted puede:'],
  correct: [
    'Correct the address of the customer',
    'Die Adresse des Kunden korrigieren',
    'Corregir la dirección del cliente',
  ],
  resend: [
    'Send the delivery to another address',
    'Lieferung an andere Adresse senden',
    'Enviar la entrega a otra dirección',
  ],
  copyLink: [
    'Copy the link to the order and pass it on another way:',
    'Den Link zur Bestellung kopieren und anders weitergeben:',
    'Copiar el enlace del pedido y pasarlo de otra forma:',
  ],
  link: ['link to the order', 'Link zur Bestellung', 'enlace del pedido'],
})
