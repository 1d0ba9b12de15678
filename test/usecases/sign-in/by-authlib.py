# An OpenID Connect provider of Authlib behind Flask, with one client. It prints its port. Its only person is Ada, who needs no form.
# It names itself in no answer (RFC 9207), has no userinfo endpoint, and takes the client's secret only in the body.

import json
import os
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.jose import JsonWebKey
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import AuthorizationCodeMixin, UserInfo
from authlib.oidc.core.grants import OpenIDCode
from flask import Flask, jsonify
from werkzeug.serving import make_server

CLIENT_ID = 'palimpsest'
SECRET = 'a secret of both'
KEY = JsonWebKey.generate_key('EC', 'P-256', {'kid': 'authlib', 'use': 'sig', 'alg': 'ES256'}, is_private=True)

app = Flask(__name__)
server = make_server('127.0.0.1', 0, app, threaded=True)
issuer = f'http://127.0.0.1:{server.server_port}'
codes = {}


class Client(ClientMixin):
    def get_client_id(self):
        return CLIENT_ID

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri == os.environ['REDIRECT_URI']

    def check_client_secret(self, client_secret):
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method == 'client_secret_post'

    def check_response_type(self, response_type):
        return response_type == 'code'

    def check_grant_type(self, grant_type):
        return grant_type == 'authorization_code'


class Code(AuthorizationCodeMixin):
    def __init__(self, request):
        data = request.data
        self.redirect_uri = data.get('redirect_uri')
        self.scope = request.scope
        self.nonce = data.get('nonce')
        self.code_challenge = data.get('code_challenge')
        self.code_challenge_method = data.get('code_challenge_method')
        self.auth_time = int(time.time())

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return self.nonce

    def get_auth_time(self):
        return self.auth_time


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ['client_secret_post']

    def save_authorization_code(self, code, request):
        codes[code] = Code(request)

    def query_authorization_code(self, code, client):
        return codes.get(code)

    def delete_authorization_code(self, authorization_code):
        for code in [code for code, held in codes.items() if held is authorization_code]:
            del codes[code]

    def authenticate_user(self, authorization_code):
        return 'ada'


class IdToken(OpenIDCode):
    def exists_nonce(self, nonce, request):
        return False

    def get_jwt_config(self, grant):
        return {'key': KEY, 'alg': 'ES256', 'iss': issuer, 'exp': 300}

    def generate_user_info(self, user, scope):
        email = {'email': 'ada@example.org', 'email_verified': True}
        return UserInfo(sub=user, name='Ada by Authlib', realm={'roles': ['editors']}, **email)


authorization = AuthorizationServer(app, query_client=lambda id: Client() if id == CLIENT_ID else None,
                                    save_token=lambda token, request: None)
authorization.register_grant(CodeGrant, [IdToken(require_nonce=True), CodeChallenge(required=True)])


@app.route('/.well-known/openid-configuration')
def metadata():
    return jsonify({
        'issuer': issuer,
        'authorization_endpoint': f'{issuer}/authorize',
        'token_endpoint': f'{issuer}/token',
        'jwks_uri': f'{issuer}/jwks',
        'response_types_supported': ['code'],
        'subject_types_supported': ['public'],
        'id_token_signing_alg_values_supported': ['ES256'],
        'token_endpoint_auth_methods_supported': ['client_secret_post'],
    })


@app.route('/jwks')
def jwks():
    return jsonify({'keys': [json.loads(KEY.as_json(is_private=False))]})


@app.route('/authorize')
def authorize():
    return authorization.create_authorization_response(grant_user='ada')


@app.route('/token', methods=['POST'])
def token():
    return authorization.create_token_response()


print(server.server_port, flush=True)
server.serve_forever()
