-- This trigger rejects updates of promotion codes. It never wrote an audit entry, so its name was misleading.
alter trigger audit_update on promotion_codes rename to promotion_codes_keep;
