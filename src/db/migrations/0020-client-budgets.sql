-- Unknown session tokens have a separate rate limit (decision 118).
update client_app
   set rate_limits = rate_limits || '{"unknown_tokens": 120}'
 where rate_limits -> 'unknown_tokens' is null;
